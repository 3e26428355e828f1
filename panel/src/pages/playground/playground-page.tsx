import { Page } from '../../components/page.tsx'

export function PlaygroundPage() {
  return <Page title="Playground">{null}</Page>
}
