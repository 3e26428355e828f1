import { Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { ApiError, callApi } from '../api.ts'
import { Dialog } from '../components/dialog/dialog.tsx'
import { meQuery, setupQuery } from '../session.ts'
import { SignInForm } from './sign-in-form.tsx'

/** Asks the user to sign in again. Opens over the current page, so that typed text is kept. */
export function SessionDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const { data: me } = useSuspenseQuery(meQuery)
  const { data: setup } = useQuery(setupQuery)
  const page = useLocation({ select: ({ href }) => href })
  const resume = async () => {
    try {
      queryClient.setQueryData(meQuery.queryKey, await callApi('GET /panel/api/me'))
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      // Another user signed in, whose session the service refuses for this page of the first user.
      window.location.reload()
      return
    }
    onClose()
    await queryClient.invalidateQueries()
  }
  return (
    <Dialog onClose={onClose} title="Your session has ended">
      <Stack gap="md">
        <Text size="sm">
          You were signed out, or another user signed in, here or in another tab. Sign in to
          continue. What you typed is still here
          {setup?.oidc != null && `, unless you sign in with ${setup.oidc.name}`}.
        </Text>
        <SignInForm email={me.user.email} next={page} onSignedIn={resume} />
      </Stack>
    </Dialog>
  )
}
