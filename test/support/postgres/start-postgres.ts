import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

const startTimeoutMs = 30_000
/** Id of Linux's user without rights, because PostgreSQL refuses to run as root. */
const unprivilegedId = 65_534

export const noPostgres = 'PostgreSQL is not installed'

export type Postgres = {
  /** URL without the name of a database. */
  readonly url: string
  /** The postmaster process. `restart` replaces it. */
  readonly child: ChildProcess
  /** Starts PostgreSQL again on the same data and port, after it was killed. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts a new PostgreSQL on a free port; returns undefined where PostgreSQL is not installed. */
export async function startPostgres(
  settings: readonly string[] = [],
): Promise<Postgres | undefined> {
  const bin = findBinaries()
  if (bin === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'pipit-postgres-'))
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? { uid: unprivilegedId, gid: unprivilegedId } : {}
  if (isRoot) chownSync(folder, unprivilegedId, unprivilegedId)
  const data = join(folder, 'data')
  const created = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'pipit', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...user, cwd: folder, encoding: 'utf8' },
  )
  if (created.status !== 0) throw new Error(`initdb failed: ${created.stderr}`)
  let port = 0
  let child: ChildProcess | undefined
  const launch = async (): Promise<boolean> => {
    const options = [
      'listen_addresses=127.0.0.1',
      `port=${port}`,
      `unix_socket_directories=${folder}`,
      ...settings,
    ]
    child = spawn(
      join(bin, 'postgres'),
      ['-D', data, ...options.flatMap((option) => ['-c', option])],
      { ...user, cwd: folder, stdio: 'ignore' },
    )
    const { promise, resolve } = Promise.withResolvers<void>()
    child.once('exit', () => resolve())
    const ended = promise.then(() => delay(200))
    return Promise.race([awaitReady(port, data).then(() => true), ended.then(() => false)])
  }
  const stop = async () => {
    const ended = new Promise((resolve) => child?.once('exit', resolve))
    if (child?.exitCode === null && child.signalCode === null && child.kill('SIGQUIT')) await ended
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await repeat(5, async () => {
      // Another process may take the free port before PostgreSQL does.
      port = await freePort()
      return launch()
    })
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: urlOf(port),
    get child() {
      if (child === undefined) throw new Error('PostgreSQL has not started')
      return child
    },
    // The last server processes of the killed PostgreSQL hold the shared memory for a moment.
    restart: () => repeat(50, launch),
    stop,
  }
}

/** Calls `start` until it returns true. */
async function repeat(attempts: number, start: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) if (await start()) return
  throw new Error('PostgreSQL does not start')
}

function urlOf(port: number): string {
  return `postgres://pipit@127.0.0.1:${port}`
}

let databases = 0

/** Creates an empty database, or a copy of `template`, and returns its URL. */
export async function createDatabase(url: string, template = 'template1'): Promise<string> {
  const name = `test_${process.pid}_${++databases}`
  await administer(url, `create database ${name} template ${template}`)
  return `${url}/${name}`
}

/** Deletes a database, and ends the connections to it. */
export async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await administer(url.slice(0, -name.length - 1), `drop database if exists ${name} with (force)`)
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client(`${url}/postgres`)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Returns the newest of Debian's folders, or else the first folder of the PATH, that has both programs. */
function findBinaries(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian) : []
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))
  const folders = [
    ...newest.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]
  return folders.find((folder) =>
    ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))),
  )
}

/** Waits until the server of these data answers, and not another one that has taken the port. */
async function awaitReady(port: number, data: string): Promise<void> {
  const endMs = performance.now() + startTimeoutMs
  for (;;) {
    const client = new pg.Client(`${urlOf(port)}/postgres`)
    try {
      await client.connect()
      const { rows } = await client.query('show data_directory')
      if (rows[0].data_directory !== data) throw new Error(`another server has port ${port}`)
      return
    } catch (error) {
      if (performance.now() > endMs) throw error
      await delay(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('the server has no port')),
      )
    })
  })
}
