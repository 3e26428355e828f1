import { Page } from '../../components/page.tsx'

export function SignUpPage() {
  return <Page title="Create your account">{null}</Page>
}
