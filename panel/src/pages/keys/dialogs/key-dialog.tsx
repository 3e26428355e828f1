import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

const route = getRouteApi('/signed-in/keys')

const OpenedKeyDialog = lazy(async () => ({
  default: (await import('./opened-key-dialog.tsx')).OpenedKeyDialog,
}))

/** Opens the dialog named in the URL. Loads the dialogs' code with the first one. */
export function KeyDialog() {
  const { dialog, key } = route.useSearch()
  const navigate = route.useNavigate()
  const close = () =>
    void navigate({
      search: ({ dialog: _dialog, key: _key, ...others }) => others,
      replace: true,
      resetScroll: false,
      // The dialog keeps the browser on the page while it shows a new secret.
      ignoreBlocker: true,
    })
  if (dialog === undefined || (dialog !== 'create' && key === undefined)) return null
  return (
    <Suspense>
      <OpenedKeyDialog key={`${dialog} ${key}`} kind={dialog} keyId={key ?? ''} onClose={close} />
    </Suspense>
  )
}
