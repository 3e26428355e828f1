import { Modal, Stack, Text } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { meQuery } from '../session.ts'
import { SignInForm } from './sign-in-form.tsx'

/** Asks for a new session over the page that needs it, so that nothing typed there is lost. */
export function SessionDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const { data: me } = useSuspenseQuery(meQuery)
  const goOn = async () => {
    const now = await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
    // What the page shows is somebody else's.
    if (now.user.id !== me.user.id) window.location.reload()
    onClose()
    await queryClient.invalidateQueries()
  }
  return (
    <Modal opened onClose={onClose} title="Your session has ended">
      <Stack gap="md">
        <Text size="sm">
          You were signed out, here or in another tab. Sign in to go on where you were; what you
          typed is still there.
        </Text>
        <SignInForm email={me.user.email} onSignedIn={goOn} />
      </Stack>
    </Modal>
  )
}
