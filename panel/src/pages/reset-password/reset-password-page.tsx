import { Page } from '../../components/page.tsx'

export function ResetPasswordPage() {
  return <Page title="Choose a new password">{null}</Page>
}
