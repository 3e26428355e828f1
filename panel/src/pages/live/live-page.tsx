import { Page } from '../../components/page.tsx'

export function LivePage() {
  return <Page title="Live">{null}</Page>
}
