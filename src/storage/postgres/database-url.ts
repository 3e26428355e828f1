import { StartError } from '../../errors.ts'

/** @throws StartError if `text` is not a PostgreSQL URL. The message omits the text, which may hold a password */
export function checkDatabaseUrl(text: string): void {
  const url = URL.parse(text)
  const isPostgres = url?.protocol === 'postgres:' || url?.protocol === 'postgresql:'
  if (url === null || !isPostgres || url.pathname.length < 2)
    throw new StartError(
      'PIPIT_DATABASE_URL must have the form postgres://user:password@host:5432/database.',
    )
}

/** Returns the URL without its password, for messages. */
export function withoutPassword(text: string): string {
  const url = new URL(text)
  return `postgres://${url.host === '' ? 'localhost' : url.host}${url.pathname}`
}
