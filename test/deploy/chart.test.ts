import { spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { unknownSettings } from '../../src/config.ts'
import { settingsTable } from '../../src/settings/settings-table.ts'
import { selfSigned } from '../support/tls/self-signed.ts'

type Schema = { properties?: Record<string, Schema>; type?: unknown }

const root = fileURLToPath(new URL('../..', import.meta.url))
const chart = join(root, 'deploy/helm/pipit')
const checkers = join(root, 'build/checkers')
const helm = findProgram('helm')
const kubeconform = findProgram('kubeconform')
const schemas = join(checkers, 'schemas')
const noHelm = 'helm is not installed; tools/deploy/install-checkers.sh installs it'
const valueFiles = ['values.yaml', 'values-production-stack.yaml', 'values-llm-d.yaml']
/** A helm that was built from source assumes an old version of Kubernetes. */
const kubeVersion = ['--kube-version', '1.33.0']

test('every value that a template reads is one of values.schema.json', () => {
  const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as Schema
  const read = new Set<string>()
  for (const file of globSync(join(chart, 'templates/*')))
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/\.Values\.([\w.]+)/g))
      read.add(path)
  expect(read.size).toBeGreaterThan(40)
  expect([...read].filter((path) => !isIn(schema, path.split('.')))).toEqual([])
})

test('every template opens and closes the same number of blocks', () => {
  for (const file of globSync(join(chart, 'templates/*.{yaml,tpl}'))) {
    const text = readFileSync(file, 'utf8')
    const opened = text.match(/\{\{-? *(if|with|range|define) /g)?.length ?? 0
    const closed = text.match(/\{\{-? *end *-?\}\}/g)?.length ?? 0
    expect([file, opened]).toEqual([file, closed])
  }
})

test.for(valueFiles)(
  'the chart with %s passes helm lint and the schemas of Kubernetes',
  (file, { skip }) => {
    skip(helm === undefined, noHelm)
    const lint = run(helm, ['lint', '--strict', chart, '--values', join(chart, file)])
    expect(lint.output).toContain('0 chart(s) failed')
    const { code, output } = template('--values', join(chart, file))
    expect([code, output.includes('kind: Deployment')]).toEqual([0, true])
    skip(
      kubeconform === undefined || !existsSync(schemas),
      'kubeconform or its schemas are not installed; see tools/deploy/install-checkers.sh',
    )
    const location = `${schemas}/{{.ResourceKind}}{{.KindSuffix}}.json`
    // The schemas of the Prometheus operator and the Gateway API are not part of Kubernetes.
    const options = ['-strict', '-skip', 'ServiceMonitor,PrometheusRule,HTTPRoute', '-summary']
    const checked = run(kubeconform, [...options, '-schema-location', location], output)
    expect([checked.code, checked.output]).toEqual([
      0,
      expect.stringMatching(/Invalid: 0, Errors: 0/),
    ])
  },
)

test('values that cannot work are refused by name', ({ skip }) => {
  skip(helm === undefined, noHelm)
  for (const [setting, name] of [
    ['replicaCount=0', 'replicaCount'],
    ['upstream.flavour=gpt', 'upstream.flavour'],
    ['databse.key=url', 'databse'],
    ['database.existingSecret=', 'database.existingSecret'],
    ['env.OTHER=1', 'env'],
    // Otherwise the probes, the forwarder of metrics or the time to stop would not fit.
    ...['PORT', 'METRICS_PORT', 'TLS_CERT', 'GRACE_SECONDS', 'DRAIN_SECONDS'].map(
      (name) => [`env.PIPIT_${name}=1`, 'env'] as const,
    ),
    ['metrics.port=9464', 'metrics.port'],
    ['podDisruptionBudget.maxUnavailable=0', 'podDisruptionBudget.maxUnavailable'],
    ['ingress.enabled=true', 'ingress.hosts must name a host'],
    ['httpRoute.enabled=true', 'httpRoute.parentRefs must name a gateway'],
    ['upstream.urls={http://vllm:8000}', 'upstream.model must name the model'],
  ] as const) {
    const { code, output } = template('--set', setting)
    expect([setting, code, output.includes(name)]).toEqual([setting, 1, true])
  }
})

test('with everything switched on, each kind of object is there once and knows its values', ({
  skip,
}) => {
  skip(helm === undefined, noHelm)
  const extra = { kind: 'ConfigMap', metadata: { name: '{{ .Release.Name }}-x' } }
  const settings = [
    'autoscaling.enabled=true,ingress.enabled=true,httpRoute.enabled=true',
    'metrics.serviceMonitor.enabled=true,metrics.rules.enabled=true',
    'ingress.hosts={chat.example.com},httpRoute.parentRefs[0].name=public',
    `graceSeconds=600,preStopSeconds=15,image.digest=sha256:${'a'.repeat(64)}`,
  ]
  const { output } = template(
    '--set-json',
    `extraObjects=${JSON.stringify([extra])}`,
    '--set-json',
    'env={"PIPIT_MAX_TOKENS":1048576,"PIPIT_SANDBOX":false}',
    ...settings.flatMap((setting) => ['--set', setting]),
  )
  const kinds = [...output.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => String(kind)).toSorted()
  expect(kinds).toEqual([
    'ConfigMap',
    'Deployment',
    'HTTPRoute',
    'HorizontalPodAutoscaler',
    'Ingress',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'PrometheusRule',
    'Service',
    'Service',
    'ServiceAccount',
    'ServiceMonitor',
  ])
  for (const text of [
    "name: 'release-x'",
    'terminationGracePeriodSeconds: 635',
    `image: pipit@sha256:${'a'.repeat(64)}`,
    'metric: { name: pipit_queue_seconds }',
    // The names of Kubernetes for a service `pipit` are those of settings.
    'enableServiceLinks: false',
    'name: PIPIT_MAX_TOKENS, value: "1048576"',
    // YAML reads `off` as a boolean.
    'name: PIPIT_SANDBOX, value: "off"',
    'alert: PipitLedgerNotWritable',
    '{{ $labels.instance }} does not answer.',
  ])
    expect(output).toContain(text)
  expect(output).not.toContain('replicas: 2')
})

test('the pod that creates the first key has the secret, the rights and the pull secrets of the others', ({
  skip,
}) => {
  skip(helm === undefined, noHelm)
  expect(readFileSync(join(chart, 'templates/NOTES.txt'), 'utf8')).toContain(
    `--overrides='{{ include "pipit.firstKeyPod" . }}'`,
  )
  // `helm template` leaves the notes out, so the pod is rendered as a further object.
  const { output } = template(
    '--set-json',
    `extraObjects=${JSON.stringify(['{{ include "pipit.firstKeyPod" . }}'])}`,
    '--set',
    'imagePullSecrets[0].name=registry',
  )
  const [json = ''] = /^\{"spec".*$/m.exec(output) ?? []
  const { spec } = JSON.parse(json) as { spec: unknown }
  expect(spec).toMatchObject({
    enableServiceLinks: false,
    imagePullSecrets: [{ name: 'registry' }],
    securityContext: { runAsNonRoot: true, runAsUser: 10001 },
    containers: [
      {
        image: expect.stringMatching(/^pipit:/) as unknown,
        args: ['keys', 'create', '--name', 'first'],
        env: [{ valueFrom: { secretKeyRef: { name: 'pipit-database', key: 'url' } } }],
        securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      },
    ],
  })
})

test('the container for metrics of the chart forwards to the loopback of the service', async () => {
  const text = readFileSync(join(chart, 'templates/deployment.yaml'), 'utf8')
  const script = /- >-\n( +const net[^]+?process\.exit\(0\)\))\n/.exec(text)?.[1] ?? ''
  const metrics = createServer((_, response) => response.end('pipit_engine_ready 1\n'))
  await new Promise<void>((resolve) => metrics.listen(0, '127.0.0.1', resolve))
  const { port } = metrics.address() as AddressInfo
  const ready = "server.on('listening', () => console.log(server.address().port));"
  const program = script
    .replace('9464', String(port))
    .replace(/server\.listen\(\{\{.*?\}\}\);/, `${ready} server.listen(0);`)
    .replaceAll(/\n */g, ' ')
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const forwarded = await new Promise<string>((resolve) =>
      child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim())),
    )
    for (let i = 0; i < 20; i++) {
      const reply = await fetch(`http://127.0.0.1:${forwarded}/metrics`, {
        headers: { connection: 'close' },
      })
      expect(await reply.text()).toBe('pipit_engine_ready 1\n')
    }
    child.kill('SIGTERM')
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
  } finally {
    child.kill('SIGKILL')
    metrics.close()
  }
})

test('every setting that the files of deploy/ name is one of the service', () => {
  const files = globSync(join(root, 'deploy/**/*'), { exclude: (path) => path.endsWith('.md') })
  const names = new Set<string>()
  for (const file of files.filter((path) => /\.(yaml|service|tpl|txt)$|Dockerfile$/.test(path)))
    for (const [name] of readFileSync(file, 'utf8').matchAll(/PIPIT_[A-Z0-9_]*[A-Z0-9]/g))
      names.add(name)
  expect(names.size).toBeGreaterThan(10)
  const environment = Object.fromEntries([...names].map((name) => [name, 'x']))
  expect(unknownSettings(environment)).toEqual([])
})

test('every way to deploy gives running replies their time to end', () => {
  const read = (file: string) => readFileSync(join(root, 'deploy', file), 'utf8')
  expect(Number(/TimeoutStopSec=(\d+)/.exec(read('pipit.service'))?.[1])).toBeGreaterThan(
    settingsTable.PIPIT_GRACE_SECONDS.default,
  )
  const cluster = read('compose-cluster.yaml')
  const grace = Number(/PIPIT_GRACE_SECONDS: '(\d+)'/.exec(cluster)?.[1])
  const sections = cluster.split(/\n(?=x-front|  (?:proxy|vllm):)/)
  for (const name of ['x-front:', '  proxy:', '  vllm:']) {
    const section = sections.find((text) => text.startsWith(name)) ?? ''
    const period = Number(/stop_grace_period: (\d+)s/.exec(section)?.[1])
    expect([name, period > grace]).toEqual([name, true])
  }
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  expect(Number(/docker run .*--stop-timeout (\d+)/.exec(readme)?.[1])).toBeGreaterThan(
    settingsTable.PIPIT_GRACE_SECONDS.default,
  )
})

test('nginx names the host with its port, and replaces what a client says about host and scheme', () => {
  // Docker passes connections on from an address of the proxy's own network, which the service trusts.
  const files = [
    ['deploy/compose-cluster.yaml', '$remote_addr'],
    ['docs/panel.md', '$proxy_add_x_forwarded_for'],
  ] as const
  for (const [file, client] of files) {
    const text = readFileSync(join(root, file), 'utf8').replaceAll('$$', '$')
    const headers = [...text.matchAll(/proxy_set_header +(Host|X-Forwarded-\w+) +(\$\w+);/g)]
    expect([file, Object.fromEntries(headers.map(([, name, value]) => [name, value]))]).toEqual([
      file,
      {
        Host: '$http_host',
        'X-Forwarded-Host': '$http_host',
        'X-Forwarded-Proto': '$scheme',
        'X-Forwarded-For': client,
      },
    ])
  }
})

test('the health check of the image follows the port and the certificate of the settings', async () => {
  const { key, cert } = selfSigned()
  let status = 200
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    response.writeHead(request.url === '/readyz' ? status : 404).end()
  for (const server of [createServer(answer), createTlsServer({ key, cert }, answer)]) {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    const PIPIT_PORT = String((server.address() as AddressInfo).port)
    const env = { PIPIT_PORT, ...(server instanceof Server && { PIPIT_TLS_CERT: '/tls/cert.pem' }) }
    status = 200
    expect(await checkHealth(env)).toBe(0)
    status = 503
    expect(await checkHealth(env)).toBe(1)
  }
})

test('the health check of the image takes an empty setting for none, as the service does', async () => {
  const server = createServer((_, response) => response.end())
  const asked: string[] = []
  // The server is also a proxy that answers for any port, because the default one may be in use here.
  server.on('connect', ({ url = '' }, socket) => {
    asked.push(url)
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    server.emit('connection', socket)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: `http://127.0.0.1:${port}` }
  expect(await checkHealth({ ...proxy, PIPIT_PORT: '' })).toBe(0)
  expect(asked).toEqual([`127.0.0.1:${settingsTable.PIPIT_PORT.default}`])
  expect(await checkHealth({ PIPIT_PORT: ` ${port} `, PIPIT_TLS_CERT: ' ' })).toBe(0)
})

test('the unit goes on when the kernel kills the engine for lack of memory', () => {
  // By default, systemd then stops the whole unit.
  const unit = readFileSync(join(root, 'deploy/pipit.service'), 'utf8')
  expect(unit).toMatch(/^\[Service\]\n(?:[^[].*\n)*OOMPolicy=continue$/m)
})

test('systemd accepts the unit', ({ skip }) => {
  const analyze = findProgram('systemd-analyze')
  skip(analyze === undefined, 'systemd-analyze is not installed')
  const { output } = run(analyze, ['verify', join(root, 'deploy/pipit.service')])
  // Ignores lines about /opt/pipit, because the program is not installed here.
  const faults = output.split('\n').filter((line) => line !== '' && !line.includes('/opt/pipit'))
  expect(faults).toEqual([])
})

/** Runs the health check of the image, and returns its exit code. */
async function checkHealth(env: Record<string, string>): Promise<number | null> {
  const text = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')
  const [, command = ''] = /^HEALTHCHECK [^\n]*\n +CMD (\[.*\])$/m.exec(text) ?? []
  const [, ...args] = JSON.parse(command) as string[]
  const [code] = await once(spawn(process.execPath, args, { env }), 'exit')
  return code as number | null
}

function isIn(schema: Schema, [name, ...rest]: string[]): boolean {
  if (name === undefined) return true
  const found = schema.properties?.[name]
  return found !== undefined && isIn(found, rest)
}

function template(...options: string[]) {
  return run(helm, ['template', 'release', chart, ...kubeVersion, ...options])
}

function run(program: string | undefined, args: string[], input = '') {
  const { status, stdout, stderr } = spawnSync(program ?? '', args, { input, encoding: 'utf8' })
  return { code: status, output: stdout + stderr }
}

/** Returns the program in `build/checkers`, or the name if the PATH has the program, or undefined. */
function findProgram(name: string): string | undefined {
  const own = join(checkers, 'bin', name)
  if (existsSync(own)) return own
  return spawnSync('which', [name]).status === 0 ? name : undefined
}
