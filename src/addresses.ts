import { BlockList, isIP, isIPv6, SocketAddress } from 'node:net'

/** Reports whether an address belongs to a proxy of PIPIT_TRUSTED_PROXIES, whose forwarded headers are trusted. */
export type IsTrustedProxy = (address: string) => boolean

/**
 * Returns the check for a list of addresses and networks such as `127.0.0.1` or `10.0.0.0/8`.
 * @throws TypeError if an entry is neither; the message is that entry
 */
export function trustedProxies(entries: readonly string[]): IsTrustedProxy {
  if (entries.length === 0) return () => false
  const list = new BlockList()
  for (const entry of entries) {
    const [text = '', prefix] = entry.split('/', 2)
    const address = parseAddress(text)
    if (address === undefined || entry.split('/').length > 2) throw new TypeError(entry)
    const { family } = address
    if (prefix === undefined) list.addAddress(address.text, family)
    else list.addSubnet(address.text, parsePrefix(prefix, family, entry), family)
  }
  return (text) => {
    const address = parseAddress(text)
    return address !== undefined && list.check(address.text, address.family)
  }
}

/**
 * Returns the address in the spelling that sockets use. An IPv4-mapped IPv6 address becomes an IPv4 address. Returns
 * undefined if the text is not an address.
 */
export function canonicalAddress(text: string): string | undefined {
  return parseAddress(text)?.text
}

/** Returns the IPv4 address, or the /64 network of an IPv6 address: a /64 usually belongs to one customer. */
export function networkOf(address: string): string {
  const [bare = ''] = address.split('%', 1)
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped !== undefined || !isIPv6(bare)) return mapped ?? bare
  const [head = '', tail] = bare.split('::', 2)
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0')
  const groups = tail === undefined ? front : [...front, ...zeros, ...back]
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

type Address = { text: string; family: 'ipv4' | 'ipv6' }

function parseAddress(text: string): Address | undefined {
  const [address = ''] = text.split('%', 1)
  const version = isIP(address)
  if (version === 4) return { text: address, family: 'ipv4' }
  if (version === 0) return undefined
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(canonical)?.[1]
  return mapped === undefined
    ? { text: canonical, family: 'ipv6' }
    : { text: mapped, family: 'ipv4' }
}

/** Refuses a prefix of 0, which would trust every address, so that every client could forge its own. */
function parsePrefix(text: string, family: Address['family'], entry: string): number {
  const prefix = Number(text)
  if (!/^\d{1,3}$/.test(text) || prefix < 1 || prefix > (family === 'ipv4' ? 32 : 128))
    throw new TypeError(entry)
  return prefix
}
