import { Stack, Text } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Dialog } from '../components/dialog/dialog.tsx'
import { meQuery } from '../session.ts'
import { SignInForm } from './sign-in-form.tsx'

/** Asks the user to sign in again. Opens over the current page, so that typed text is kept. */
export function SessionDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const { data: me } = useSuspenseQuery(meQuery)
  const resume = async () => {
    const now = await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
    // Another user signed in: reload, because the page shows the first user's data.
    if (now.user.id !== me.user.id) window.location.reload()
    onClose()
    await queryClient.invalidateQueries()
  }
  return (
    <Dialog onClose={onClose} title="Your session has ended">
      <Stack gap="md">
        <Text size="sm">
          You were signed out here or in another tab. Sign in to continue. What you typed is still
          here.
        </Text>
        <SignInForm email={me.user.email} onSignedIn={resume} />
      </Stack>
    </Dialog>
  )
}
