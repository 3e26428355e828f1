import { Page } from '../../components/page.tsx'

export function QuickStartPage() {
  return <Page title="Quick start">{null}</Page>
}
