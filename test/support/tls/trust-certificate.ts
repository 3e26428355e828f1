import tls from 'node:tls'
import { onTestFinished } from 'vitest'

/** Makes this process trust a certificate until the test ends. Skips the test where Node cannot. */
export function trustCertificate(
  certificate: string,
  skip: (condition: boolean, reason: string) => void,
): void {
  const { getCACertificates, setDefaultCACertificates } = tls
  skip(setDefaultCACertificates === undefined, `Node ${process.version} cannot add certificates`)
  const usual = getCACertificates()
  onTestFinished(() => setDefaultCACertificates(usual))
  setDefaultCACertificates([...usual, certificate])
}
