import { Page } from '../../components/page.tsx'

export function AccountsPage() {
  return <Page title="Accounts">{null}</Page>
}
