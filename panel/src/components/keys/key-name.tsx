import { useQuery } from '@tanstack/react-query'
import { keyQuery } from '../../key-query.ts'

/** The key id and name shown for playground requests, which a session authenticates instead of a key. */
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

/** Shows a key's name, or its id while the name loads or if the key no longer exists. */
export function KeyName({ keyId }: { keyId: string }) {
  return <bdi>{useKeyName(keyId) ?? keyId}</bdi>
}
