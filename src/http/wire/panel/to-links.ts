import type { Invite as StoredInvite, Link } from '../../../people/panel-accounts.ts'
import type { Invite, IssuedInvite, IssuedLink } from '../../../protocol/panel-accounts.ts'

export function toIssuedLink({ url, expiresMs }: Link): IssuedLink {
  return { url, expires_ms: expiresMs }
}

export function toIssuedInvite(link: Link): IssuedInvite {
  return { id: link.id, ...toIssuedLink(link) }
}

export function toInvite({ id, email, role, createdMs, expiresMs }: StoredInvite): Invite {
  return { id, email, role, created_ms: createdMs, expires_ms: expiresMs }
}
