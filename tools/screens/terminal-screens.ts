// `npm run screens` runs commands in a terminal of 100 columns and saves what it shows to build/screens/: as text, and as a
// picture if Debian's chromium is installed.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { packageRoot } from '../../src/paths.ts'
import { randomGguf } from '../../test/support/gguf/random-gguf.ts'
import { LocalHub } from '../../test/support/hub/local-hub.ts'
import { chromiumMissing, startBrowser } from '../../test/support/panel/browser.ts'
import { mainFile } from '../../test/support/process.ts'
import { openTerminal } from '../../test/support/terminal/terminal.ts'
import { occupyPort } from './occupy-port.ts'
import { Screen } from './screen.ts'

const size = { columns: 100, rows: 32 }
const folder = join(packageRoot, 'build/screens')
const place = mkdtempSync(join(tmpdir(), 'pipit-screens-'))
const program = join(place, 'pipit')
symlinkSync(mainFile, program)

const settings = {
  PIPIT_PORT: '8080',
  PIPIT_METRICS_PORT: '9090',
  PIPIT_DATA_DIR: join(place, 'data'),
}
const screens = new Map<string, Screen>()
const terminals: Terminal[] = []

type Terminal = ReturnType<typeof openTerminal>

function open(args: string[], environment: Record<string, string> = {}): Terminal {
  const terminal = openTerminal(args, { ...settings, ...environment }, { size, program })
  terminals.push(terminal)
  return terminal
}

function save(name: string, output: string): void {
  const screen = new Screen(size.columns)
  screen.write(output)
  screens.set(name, screen)
  process.stderr.write(`${name}\n`)
}

async function serve(name: string): Promise<Terminal> {
  const service = open(['serve'])
  await service.awaitText('metrics')
  // The banner is written in one piece, but the terminal passes it on in parts.
  await delay(300)
  save(name, service.output())
  return service
}

async function stop(service: Terminal): Promise<void> {
  service.type('\u0003')
  await service.exitCode()
}

/** Starts the service twice, and shows a chat and the status while the second one runs. */
async function showService(): Promise<void> {
  const first = await serve('first-start')
  const [, key = ''] = /^ +(sk-pipit-\S+)\r$/m.exec(first.output()) ?? []
  await stop(first)
  const service = await serve('later-start')
  try {
    await showChat({ PIPIT_API_KEY: key })
    const status = open(['status'])
    // The status shows a speed from its second update on.
    await delay(3000)
    save('status', status.output())
    await status.dispose()
  } finally {
    await stop(service)
  }
}

async function showChat(environment: Record<string, string>): Promise<void> {
  const chat = open(['chat'], environment)
  let end = await chat.awaitText('› ')
  for (const line of ['Hello! Who are you?', '/set temperature 0.2', 'Name three birds.']) {
    chat.type(`${line}\r`)
    end = await chat.awaitText('› ', end)
  }
  save('chat', chat.output())
  chat.type('\u0004')
  await chat.exitCode()
}

/** Occupies the port of the service, so that `doctor` reports it. */
async function showDoctor(): Promise<void> {
  const other = await occupyPort(Number(settings.PIPIT_PORT))
  try {
    const doctor = open(['doctor'])
    await doctor.exitCode()
    save('doctor', doctor.output())
  } finally {
    other.close()
  }
}

async function showPull(): Promise<void> {
  const content = Buffer.concat([randomGguf(), Buffer.alloc(120_000_000)])
  const hub = await LocalHub.start({ 'a/Tiny-GGUF': { files: { 'm-Q8_0.gguf': content } } })
  hub.bytesPerSecond = 20e6
  try {
    const pull = open(['models', 'pull', 'hf:a/Tiny-GGUF'], { HF_ENDPOINT: hub.url })
    await pull.awaitText(' left')
    await delay(1500)
    save('pull', pull.output())
    await pull.exitCode()
    save('pulled', pull.output())
  } finally {
    // An open server would keep this program from ending.
    await hub.close()
  }
}

async function savePictures(): Promise<void> {
  if (chromiumMissing) return
  const browser = await startBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 900, height: 400 } })
    for (const [name, screen] of screens) {
      await page.setContent(
        `<pre style="margin:0;padding:12px;background:#111;color:#ddd">${screen.html()}</pre>`,
      )
      await page.locator('pre').screenshot({ path: join(folder, `${name}.png`) })
    }
  } finally {
    await browser.close()
  }
}

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
try {
  await showService()
  await showDoctor()
  await showPull()
  for (const [name, screen] of screens)
    writeFileSync(join(folder, `${name}.txt`), `${screen.text()}\n`)
  await savePictures()
} finally {
  await Promise.allSettled(terminals.map((terminal) => terminal.dispose()))
  rmSync(place, { recursive: true, force: true })
}
