import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { faultOf, FormError } from '../../components/form-error.tsx'
import { Section } from '../../components/page/section.tsx'
import { submitTo, textOf } from '../../form.ts'
import { meQuery } from '../../session.ts'
import { rename } from './settings-api.ts'

export function ProfileSection() {
  const queryClient = useQueryClient()
  const { data: me } = useSuspenseQuery(meQuery)
  const save = useMutation({
    mutationFn: (form: FormData) => rename(textOf(form, 'name')),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
  })
  return (
    <Section title="Profile">
      <Text size="sm">
        {me.user.email}
        <Text span c="dimmed" size="sm">
          {` · ${me.user.role}`}
        </Text>
      </Text>
      <form onSubmit={submitTo(save.mutate)}>
        <Stack gap="md">
          <TextInput
            label="Name"
            name="name"
            dir="auto"
            autoComplete="name"
            defaultValue={me.user.name}
            error={faultOf(save.error, 'name')}
          />
          <FormError error={save.error} fields={['name']} />
          <Group gap="sm">
            <Button type="submit" variant="default" loading={save.isPending}>
              Save
            </Button>
            <span role="status">{save.isSuccess && 'Saved.'}</span>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
