import { Button, Group, Table, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { PanelModels, UsableModel } from '../../../../../src/protocol/panel/models.ts'
import { Tag } from '../../../components/tag.tsx'
import { TableHead } from '../../../components/table-head.tsx'
import { TableScrollContainer } from '../../../components/table-scroll-container.tsx'
import { formatBytes } from '../../../format/format-bytes.ts'
import type { ModelAction } from '../models-api.ts'
import classes from './models.module.css'

type ModelListProps = { list: PanelModels; isAdmin: boolean }
type Opened = { action: ModelAction; name: string }

const headings = ['Model', 'Size', 'Quantisation', 'Licence']

/** Loaded when it is opened, so that the page shows sooner. */
const ModelDialog = lazy(async () => ({
  default: (await import('./model-dialog.tsx')).ModelDialog,
}))

/** The models on this machine. Admins can use and remove them. */
export function ModelList({ list, isAdmin }: ModelListProps) {
  const [opened, setOpened] = useState<Opened>()
  const model = list.models.find(({ name }) => name === opened?.name)
  return (
    <>
      <TableScrollContainer
        minWidth={560}
        tabIndex={0}
        role="group"
        aria-label="Models on this machine"
      >
        <Table className="numeric" aria-label="Models on this machine" verticalSpacing="sm">
          <TableHead headings={isAdmin ? [...headings, 'Actions'] : headings} />
          <Table.Tbody>
            {list.models.map((one) => (
              <ModelRow
                key={one.name}
                model={one}
                list={list}
                onOpen={isAdmin ? (action) => setOpened({ action, name: one.name }) : undefined}
              />
            ))}
          </Table.Tbody>
        </Table>
      </TableScrollContainer>
      {!list.can_switch && (
        <Text size="sm" c="dimmed">
          A setting, PIPIT_MODEL or PIPIT_ENGINE, names the model of this service, so it cannot be
          changed here.
        </Text>
      )}
      {opened !== undefined && model !== undefined && (
        <Suspense>
          <ModelDialog {...opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </>
  )
}

type ModelRowProps = {
  model: UsableModel
  list: PanelModels
  /** Absent for members, who have read-only access. */
  onOpen: ((action: Opened['action']) => void) | undefined
}

function ModelRow({ model, list, onOpen }: ModelRowProps) {
  const isBundled = model.name === 'default'
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes['name']}>
        {model.name} {model.serving && <Tag color="green">Serving</Tag>}{' '}
        {model.damage !== null && <Tag color="red">Damaged</Tag>}
        <Text size="xs" c="dimmed">
          {model.damage ?? (isBundled ? 'Comes with Pipit' : model.source)}
        </Text>
      </Table.Th>
      <Table.Td>{model.bytes === null ? '–' : formatBytes(model.bytes)}</Table.Td>
      <Table.Td>{model.quantisation ?? '–'}</Table.Td>
      <Table.Td>{model.licence ?? '–'}</Table.Td>
      {onOpen !== undefined && (
        <Table.Td>
          <Group gap="xs" wrap="nowrap">
            {!model.serving && list.can_switch && (
              <Button
                variant="default"
                size="compact-sm"
                aria-label={`Use: ${model.name}`}
                disabled={list.switching !== null || model.damage !== null}
                onClick={() => onOpen('use')}
              >
                Use
              </Button>
            )}
            {!model.serving && !isBundled && (
              <Button
                variant="default"
                size="compact-sm"
                aria-label={`Remove: ${model.name}`}
                disabled={list.switching !== null}
                onClick={() => onOpen('remove')}
              >
                Remove
              </Button>
            )}
          </Group>
        </Table.Td>
      )}
    </Table.Tr>
  )
}
