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
  const port = await freePort()
  const options = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
  ]
  const launch = () =>
    spawn(
      join(bin, 'postgres'),
      ['-D', data, ...[...options, ...settings].flatMap((option) => ['-c', option])],
      { ...user, cwd: folder, stdio: 'ignore' },
    )
  let child = launch()
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGQUIT')) await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `postgres://pipit@127.0.0.1:${port}`
  try {
    await awaitReady(url)
  } catch (error) {
    await stop()
    throw error
  }
  const restart = async () => {
    // The last server processes of the killed PostgreSQL hold the shared memory for a moment.
    for (let attempt = 0; attempt < 50; attempt++) {
      child = launch()
      const { promise, resolve } = Promise.withResolvers<void>()
      child.once('exit', () => resolve())
      const ended = promise.then(() => delay(200))
      if (await Promise.race([awaitReady(url).then(() => true), ended.then(() => false)])) return
    }
    throw new Error('PostgreSQL does not start again')
  }
  return {
    url,
    get child() {
      return child
    },
    restart,
    stop,
  }
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

async function awaitReady(url: string): Promise<void> {
  const endMs = performance.now() + startTimeoutMs
  for (;;) {
    const client = new pg.Client(`${url}/postgres`)
    try {
      await client.connect()
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
