import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { apiDocumentQuery } from '../../reference/api-document-query.ts'
import { ReferenceNavigation } from './navigation/reference-navigation.tsx'
import classes from './reference-panes.module.css'

/** The navigation beside the text and its examples. */
export function ReferencePanes() {
  const { data: api } = useSuspenseQuery(apiDocumentQuery)
  return (
    <div className={classes['panes']}>
      <ReferenceNavigation api={api} />
      <Outlet />
    </div>
  )
}
