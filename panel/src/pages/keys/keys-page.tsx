import { Page } from '../../components/page.tsx'

export function KeysPage() {
  return <Page title="API keys">{null}</Page>
}
