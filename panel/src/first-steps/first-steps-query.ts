import { queryOptions } from '@tanstack/react-query'
import type { Me } from '../../../src/protocol/panel-session.ts'
import { callApi } from '../api.ts'
import { playgroundKey } from '../components/keys/key-name.tsx'
import { type FirstStepMarks, loadMarks } from './first-step-marks.ts'

const pollMs = 3_000

export type FirstSteps = Readonly<{
  marks: FirstStepMarks
  /** The playground has received a complete reply. */
  sent: boolean
  /** A key was used. */
  called: boolean
  /** Another account or an invite exists; undefined for members, who cannot invite. */
  invited: boolean | undefined
}>

/** Queries the steps that the user has done. Polls until a key is used, because that happens outside the panel. */
export function firstStepsQuery({ user }: Me) {
  return queryOptions({
    queryKey: ['first-steps', user.id],
    queryFn: async ({ signal }): Promise<FirstSteps> => {
      const marks = loadMarks(user.id)
      if (marks.dismissed) return { marks, sent: false, called: false, invited: undefined }
      const [sent, keys, invited] = await Promise.all([
        callApi('GET /panel/api/requests', {
          query: { key_id: playgroundKey.id, status: 'completed', limit: 1 },
          signal,
        }),
        callApi('GET /panel/api/keys', {
          query: { state: 'all', sort: 'last_used', order: 'desc', limit: 1 },
          signal,
        }),
        user.role === 'admin' ? hasInvited(signal) : undefined,
      ])
      const called = keys.data[0]?.last_used_ms != null
      return { marks, sent: sent.data.length > 0, called, invited }
    },
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.called || state.data.marks.dismissed ? false : pollMs,
  })
}

async function hasInvited(signal: AbortSignal): Promise<boolean> {
  const [invites, accounts] = await Promise.all([
    callApi('GET /panel/api/invites', { signal }),
    callApi('GET /panel/api/accounts', { query: { limit: 2 }, signal }),
  ])
  return invites.data.length > 0 || accounts.data.length > 1
}
