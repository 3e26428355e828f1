import { isIP } from 'node:net'
import { ServiceError } from '../../errors.ts'
import { isLoopback } from '../listen.ts'

/** Reports whether the `Host` of a request, with or without a port, names this service. */
export type IsAllowedHost = (host: string) => boolean

type HostSettings = {
  /** The address that PIPIT_HOST names. */
  host: string
  publicUrl: string | undefined
  /** Additional host names, in lower case. */
  names: readonly string[]
  machineName: string
}

/**
 * Returns the check against DNS rebinding. Any site can point its own host name at this service; its pages then have
 * the same origin as the panel. No site can do that with an IP address or a name below localhost.
 */
export function allowedHosts(settings: HostSettings): IsAllowedHost {
  const names = new Set(namesOf(settings))
  return (host) => {
    const name = nameIn(host)
    if (name === undefined) return false
    return isIP(name) !== 0 || /^(.+\.)?localhost$/.test(name) || names.has(name)
  }
}

/** @throws ServiceError host_not_allowed */
export function assertAllowedHost(host: string, isAllowed: IsAllowedHost): void {
  if (isAllowed(host)) return
  throw new ServiceError(
    'host_not_allowed',
    'The panel is not served under this host name. Open it at its own address, set PIPIT_PUBLIC_URL to the URL ' +
      'that browsers use, or add the name to PIPIT_ALLOWED_HOSTS.',
  )
}

/** Includes the machine's own name only if other machines can reach the service. */
function namesOf({ host, publicUrl, names, machineName }: HostSettings): string[] {
  const machine = machineName.toLowerCase()
  return [
    ...names,
    ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
    ...(isLoopback(host) ? [] : [host.toLowerCase(), machine, `${machine.split('.', 1)[0]}.local`]),
  ]
}

/** Returns the host name, or the IP address without brackets. Returns undefined if the text is not a host. */
function nameIn(host: string): string | undefined {
  const { address, name } =
    /^(?:\[(?<address>[\da-f:.]+)\]|(?<name>[\w-]+(?:\.[\w-]+)*)\.?)(?::\d{1,5})?$/i.exec(host)
      ?.groups ?? {}
  return (address ?? name)?.toLowerCase()
}
