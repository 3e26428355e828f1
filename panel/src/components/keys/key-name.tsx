import { useQuery } from '@tanstack/react-query'
import { keyQuery } from '../../key-query.ts'

/** The id and name of requests that were authenticated by a session instead of a key. */
export const playgroundKey = { id: 'playground', name: 'Playground' } as const

const nameStaleMs = 300_000

export function useKeyName(keyId: string | undefined): string | undefined {
  const isApiKey = keyId !== undefined && keyId !== playgroundKey.id
  const { data } = useQuery({
    ...keyQuery(keyId ?? ''),
    enabled: isApiKey,
    staleTime: nameStaleMs,
  })
  return keyId === playgroundKey.id ? playgroundKey.name : data?.name
}

/** The name of a key, or its id while the name loads or when the key is gone. */
export function KeyName({ keyId }: { keyId: string }) {
  return <bdi>{useKeyName(keyId) ?? keyId}</bdi>
}
