import { Page } from '../../components/page.tsx'

export function SetupPage() {
  return <Page title="Set up Pipit">{null}</Page>
}
