import { useQuery } from '@tanstack/react-query'
import { keyQuery } from '../key-query.ts'

/** As the service calls what is asked with a session instead of a key. */
export const playgroundKey = { id: 'playground', name: 'Playground' } as const

const nameStaleMs = 300_000

export function useKeyName(keyId: string | undefined): string | undefined {
  const ofOwnKey = keyId !== undefined && keyId !== playgroundKey.id
  const { data } = useQuery({
    ...keyQuery(keyId ?? ''),
    enabled: ofOwnKey,
    staleTime: nameStaleMs,
  })
  return keyId === playgroundKey.id ? playgroundKey.name : data?.name
}

/** The name of a key; its id until it is known, and where it is gone. */
export function KeyName({ keyId }: { keyId: string }) {
  return <bdi>{useKeyName(keyId) ?? keyId}</bdi>
}
