// The steps of the whole check: what a landing needs, and what only `npm run test:full` runs.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../build-part.mjs'

/** @typedef {import('./run-step.mjs').Step} Step */

/** Holds the log and the results of each step. */
export const checkFolder = join(root, 'build/check')

const python = '/usr/bin/python3'
/** Node from the lock file. Everything runs on it except the steps for other Node versions. */
const node = join(root, 'node_modules/node/bin/node')
const vitest = 'node_modules/vitest/vitest.mjs'
const npm = ['npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error']
const pip =
  `${python} -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --upgrade`.split(
    ' ',
  )
/** Source archive of the Python package jsonschema, which contains the JSON-Schema-Test-Suite. */
const schemaArchive = 'jsonschema-4.25.1'
const install = { cores: 0, tries: 3, minutes: 15 }
/** Cores of an ordinary step. Three such steps fit on two cores, because each step waits now and then. */
const lane = 0.6
/** Cores of a main step. One ordinary step fits beside the main step, and runs while that waits. */
const mainLane = 1.4

/**
 * Folders of `src/engine` that only process texts and schemas. Their tests take a third of the time of all tests of
 * `src`.
 */
const textFolders = ['grammar', 'tool-forms']
/** Absolute, because a relative filter such as `src/engine` would also match paths in `panel/src`. */
const engineFolder = join(root, 'src/engine')
/**
 * Tests of code that depends on Node: modules, HTTP, streams, SQLite, processes. The addon, the pages and the tools do
 * not depend on it, nor do tests that spend their time on texts, schemas and passwords.
 */
const nodeTests = [
  ...pathsIn(join(root, 'src')).filter((path) => path !== engineFolder),
  ...pathsIn(engineFolder).filter((path) => !textFolders.some((name) => path.endsWith(name))),
  'test/api/http/',
  'test/api/chat/idempotency.test.ts',
  'test/api/chat/limits.test.ts',
  'test/api/chat/receipts.test.ts',
  'test/api/chat/stream.test.ts',
  'test/api/cli/cli.test.ts',
  'test/api/panel/keys.test.ts',
  'test/contract/clients.test.ts',
  'test/contract/engines.test.ts',
  'test/faults/front-kill.test.ts',
  'test/storage/database.test.ts',
  'test/storage/idempotency.test.ts',
  'test/storage/keys.test.ts',
  'test/storage/ledger.test.ts',
]

/** The files of the long suite that a landing waits for. */
const landingTests = [
  'test/api/http/reference-examples.long.test.ts',
  'test/clients/',
  'test/e2e/export-code.long.test.ts',
  'test/e2e/panel/accounts.long.test.ts',
  'test/e2e/panel/first-steps.long.test.ts',
  'test/e2e/panel/key-dialogs.long.test.ts',
  'test/e2e/panel/keys.long.test.ts',
  'test/e2e/panel/live.long.test.ts',
  'test/e2e/panel/playground-aids.long.test.ts',
  'test/e2e/panel/reference.long.test.ts',
  'test/e2e/panel/spending.long.test.ts',
  'test/e2e/panel/usage.long.test.ts',
  'test/faults/aborted-streams.long.test.ts',
  'test/faults/front-kill.long.test.ts',
  'test/packages/install.long.test.ts',
]
/** Folders of tests of what people and programs use. */
const interfaceRooms = ['api', 'clients', 'e2e', 'packages'].map((name) => `test/${name}/`)
const otherRooms = [
  'src/',
  ...readdirSync(join(root, 'test'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `test/${name}/`)
    .filter((room) => !interfaceRooms.includes(room)),
]

/** The API's tests on PostgreSQL that a landing waits for. */
const landingApiTests = [
  'test/api/chat/idempotency.test.ts',
  'test/api/chat/limits.test.ts',
  'test/api/chat/receipts.test.ts',
]
/** `npm run test:full` kills more often. */
const landingKills = { ENGINE_KILLS: '10', FRONT_KILLS: '5' }

function pathsIn(folder) {
  return readdirSync(folder).map((name) => join(folder, name))
}

/**
 * Returns the steps in the order in which they start.
 * @returns {Step[]}
 */
export function landingSteps() {
  return [
    ...preparation(),
    defaultSuite(['build']),
    longSuite('long suite for a landing', landingTests, landingKills),
    recipe(),
    // It takes longest of the rest, because its tests wait and run one at a time.
    measuring(),
    // The oldest supported version; `npm run test:full` also runs the newest.
    ...otherNodes(['22'], ['--project', 'default-units', '--project', 'default', ...nodeTests]),
    ...projects(landingApiTests),
    undisturbed(landingKills),
  ]
}

/**
 * Returns the steps of everything at full size.
 * @returns {Step[]}
 */
export function fullSteps() {
  const more = fullPreparation()
  const needs = ['build', 'other Nodes']
  const suite = join(root, 'build', schemaArchive, 'json/tests/draft2020-12')
  return [
    ...preparation(),
    ...more,
    recipe(),
    longSuite('long suite, engine and faults', otherRooms, { JSON_SCHEMA_TEST_SUITE: suite }, [
      ...needs,
      'JSON-Schema-Test-Suite',
    ]),
    longSuite('long suite, interfaces', interfaceRooms, {}, [
      ...needs,
      'compiler and emulator for arm64',
    ]),
    ...otherNodes(['22', '26'], ['--project', 'default*']),
    defaultSuite([...needs, 'checkers of the chart']),
    measuring(),
    ...projects(),
    undisturbed({}),
  ]
}

/** @returns {Step[]} */
function fullPreparation() {
  const needs = ['system packages']
  return [
    {
      ...install,
      name: 'checkers of the chart',
      needs,
      commands: [
        ['sh', '-c', `command -v go >/dev/null || ${aptInstall('golang-go').at(-1)}`],
        ['sh', 'tools/deploy/install-checkers.sh'],
      ],
    },
    {
      ...install,
      name: 'compiler and emulator for arm64',
      needs,
      commands: [aptInstall('g++-aarch64-linux-gnu qemu-user-static')],
    },
    {
      ...install,
      name: 'JSON-Schema-Test-Suite',
      needs,
      commands: [
        [
          ...`${python} -m pip download --quiet --no-deps --no-binary jsonschema -d build`.split(
            ' ',
          ),
          schemaArchive.replace('-', '=='),
        ],
        ['tar', '-xzf', `build/${schemaArchive}.tar.gz`, '-C', 'build'],
      ],
    },
  ]
}

/** @returns {Step[]} */
function preparation() {
  const ruff = /^required-version = "==(.*)"$/m.exec(readFileSync(join(root, 'ruff.toml'), 'utf8'))
  return [
    { ...install, name: 'npm ci', cores: lane, commands: [npm] },
    {
      ...install,
      name: 'system packages',
      env: { DEBIAN_FRONTEND: 'noninteractive' },
      // g++ and make build the addon; clang-format checks its sources; strace, iproute2 and nftables make disks and
      // networks fail in the fault tests; chromium shows the panel; PostgreSQL stores the ledger in some tests; the rest
      // is for the model's recipe.
      commands: [
        aptInstall(
          'g++ make clang-format strace iproute2 nftables zstd chromium postgresql python3-torch python3-numpy python3-regex python3-matplotlib python3-pip',
        ),
      ],
    },
    {
      ...install,
      name: 'ruff',
      needs: ['system packages'],
      commands: [[...pip, '--target', 'build/ruff', `ruff==${ruff?.[1]}`]],
    },
    {
      name: 'static checks',
      needs: ['npm ci', 'ruff'],
      cores: mainLane,
      minutes: 5,
      stopsOthers: true,
      commands: [['npm', 'run', '--silent', 'check:static']],
    },
    {
      name: 'build',
      needs: ['static checks'],
      cores: mainLane,
      minutes: 10,
      stopsOthers: true,
      commands: [[process.execPath, 'tools/prepare.mjs']],
    },
    {
      ...install,
      name: 'other Nodes',
      needs: ['npm ci'],
      commands: [[...npm, '--prefix', 'test/nodes']],
    },
    {
      ...install,
      name: 'clients',
      needs: ['npm ci', 'system packages'],
      commands: [
        [...npm, '--prefix', 'test/clients'],
        [...pip, '--target', 'build/python-clients', '-r', 'test/clients/requirements.txt'],
      ],
    },
  ]
}

/** Installs packages of Debian, if one of them is missing. `dpkg-query -W` also knows packages that were removed. */
function aptInstall(packages) {
  const states = `dpkg-query -W -f '\${db:Status-Status}\\n' ${packages} 2>/dev/null`
  const isComplete = `[ "$(${states} | grep -cx installed)" = ${packages.split(' ').length} ]`
  const add = `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${packages}`
  return ['sh', '-c', `${isComplete} || { ${add}; }`]
}

/** @returns {Step} */
function defaultSuite(needs) {
  return tests('default suite, Node 24', { needs, run: [['npm', 'test']], cores: mainLane })
}

/** @returns {Step[]} */
function otherNodes(lines, args) {
  return lines.map((line) => {
    const program = join(root, `test/nodes/node_modules/node-${line}/bin/node`)
    return tests(`service's tests, Node ${line}`, {
      needs: ['build', 'other Nodes'],
      run: [[program, vitest, 'run', '--maxWorkers=1', ...args]],
    })
  })
}

/** @returns {Step} */
function recipe() {
  return {
    name: "model's recipe",
    needs: ['npm ci', 'system packages'],
    // Ends a hang. A slow host needs more than ten minutes beside the default suite.
    minutes: 40,
    cores: lane,
    env: { OMP_NUM_THREADS: '1' },
    commands: [
      [python, 'model/test_recipe.py', '-v'],
      ['sh', '-c', `cd model && exec ${python} -m unittest discover -v -s evaluation -t .`],
      [python, 'model/test_generators.py', '-v'],
      [python, 'model/test_banks.py', '-v'],
      [python, 'model/test_records.py', '-v'],
      [python, 'model/test_build.py', '-v'],
    ],
  }
}

/** @returns {Step} */
function longSuite(name, files, env, needs = ['build']) {
  return tests(name, {
    needs: [...needs, 'clients'],
    run: [[node, vitest, 'run', '--project', 'long', ...files]],
    env: { ...env, PYTHONPATH: join(root, 'build/python-clients'), PYTHON: python },
  })
}

/** @returns {Step} */
function measuring() {
  return project('what measures a process', 'measuring')
}

/**
 * @param apiFiles the API's tests that run on PostgreSQL; all of them if it is empty
 * @returns {Step[]}
 */
function projects(apiFiles = []) {
  return [
    project('thorough suite', 'thorough'),
    { ...project('storage on PostgreSQL', 'postgres'), cores: mainLane },
    project('API on PostgreSQL', 'postgres-api', ...apiFiles),
  ]
}

/** @returns {Step} the tests of one of vitest's projects */
function project(name, id, ...files) {
  return tests(name, {
    needs: ['build'],
    run: [[node, vitest, 'run', '--project', id, ...files]],
  })
}

/** @returns {Step} a step beside which no other step runs, not even an install */
function undisturbed(env) {
  return tests('tests that need all cores', {
    needs: ['build', 'other Nodes', 'clients'],
    cores: Infinity,
    run: [[node, vitest, 'run', '--project', 'undisturbed']],
    env,
  })
}

/** Returns a step whose tests write their results for the report. */
function tests(name, { run, env = {}, ...step }) {
  mkdirSync(checkFolder, { recursive: true })
  const results = join(checkFolder, `${name.replaceAll(/\W+/g, '-')}.json`)
  return {
    minutes: 90,
    cores: lane,
    ...step,
    name,
    commands: run,
    results,
    env: { ...env, PIPIT_TEST_RESULTS: results },
  }
}
