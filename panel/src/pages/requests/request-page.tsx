import { Page } from '../../components/page.tsx'

export function RequestPage() {
  return <Page title="Request">{null}</Page>
}
