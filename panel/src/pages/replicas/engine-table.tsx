import { Table } from '@mantine/core'
import type { PanelReplicas } from '../../../../src/protocol/panel/replicas.ts'
import { Tag } from '../../components/tag.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount } from '../../format/format.ts'
import { FactsTable } from './facts-table.tsx'
import classes from './replicas-page.module.css'

type Upstream = NonNullable<PanelReplicas['upstreams']>[number]

const states = {
  new: { label: 'Not reached yet', color: 'yellow' },
  up: { label: 'Up', color: 'green' },
  ejected: { label: 'Ejected', color: 'red' },
} as const satisfies Record<Upstream['state'], object>

const heads = [
  'Engine',
  'State',
  'Last probe',
  'Last failure',
  { numeric: 'In flight' },
  { numeric: 'Reported load' },
]

export function EngineTable({ engines }: { engines: readonly Upstream[] }) {
  return (
    <FactsTable label="Engines" heads={heads} minWidth={720}>
      {engines.map((engine) => (
        <Table.Tr key={engine.url}>
          <Table.Th scope="row" className={classes['name']}>
            <bdi>{engine.url}</bdi>
          </Table.Th>
          <Table.Td>
            <Tag color={states[engine.state].color}>{states[engine.state].label}</Tag>
            <Ejection engine={engine} />
          </Table.Td>
          <Table.Td>
            {engine.probed_ms === null ? 'Never' : <Time ms={engine.probed_ms} show="relative" />}
          </Table.Td>
          <Table.Td className={classes['name']}>
            {engine.fault === null ? (
              'None'
            ) : (
              <>
                {engine.fault.reason}
                <span className={classes['note']}>
                  <Time ms={engine.fault.at_ms} show="relative" />
                </span>
              </>
            )}
          </Table.Td>
          <Table.Td className={classes['number']}>{formatCount(engine.in_flight)}</Table.Td>
          <Table.Td className={classes['number']}>{formatLoad(engine.load)}</Table.Td>
        </Table.Tr>
      ))}
    </FactsTable>
  )
}

/** Requests of all clients that the engine reports. */
function formatLoad(load: Upstream['load']): string {
  if (load === null) return 'None'
  return `${formatCount(load.running)} running, ${formatCount(load.waiting)} waiting`
}

/** Shows the time of an ejection and of the next probe. An ejection lasts until a probe succeeds. */
function Ejection({ engine }: { engine: Upstream }) {
  if (engine.ejected_ms === null) return null
  return (
    <span className={classes['note']}>
      <Time ms={engine.ejected_ms} show="relative" />
      {engine.next_probe_ms !== null && (
        <>
          , next probe <Time ms={engine.next_probe_ms} show="relative" />
        </>
      )}
    </span>
  )
}
