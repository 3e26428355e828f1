import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import type { PanelModels } from '../../../../../src/protocol/panel/models.ts'
import { faultOf, FormError } from '../../../components/form-error.tsx'
import { usePull } from '../models-api.ts'
import classes from './models.module.css'

/** Starts the download of a model: one of the catalogue, or any on the hub. */
export function PullForm({ list }: { list: PanelModels }) {
  const [model, setModel] = useState('')
  const listId = useId()
  const pull = usePull()
  const entry = list.catalogue.find(({ name }) => name === model.trim())
  const send = () => pull.mutate(model.trim(), { onSuccess: () => setModel('') })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Stack gap="xs" className={classes['form']}>
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            className={classes['field']}
            label="Pull a model"
            placeholder="qwen3-0.6b or hf:owner/name:Q4_K_M"
            required
            withAsterisk={false}
            autoComplete="off"
            list={listId}
            value={model}
            onChange={(event) => setModel(event.currentTarget.value)}
            error={faultOf(pull.error, 'model') !== undefined}
          />
          <datalist id={listId}>
            {list.catalogue.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </datalist>
          <Button type="submit" loading={pull.isPending}>
            Pull
          </Button>
        </Group>
        {entry !== undefined && (
          <Text size="sm" c="dimmed">
            {entry.title}: {entry.parameters} parameters, licence {entry.licence}, for example{' '}
            {entry.example_file}. Good at {entry.good_at}.
          </Text>
        )}
        <Text size="xs" c="dimmed">
          If you leave out the quantisation, Pipit picks one that fits. The list was updated on{' '}
          {list.catalogue_date}.
        </Text>
        <FormError error={pull.error} />
      </Stack>
    </form>
  )
}
