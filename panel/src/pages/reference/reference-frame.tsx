import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { meQuery } from '../../session.ts'
import { Brand } from '../../shell/brand.tsx'
import { Shell } from '../../shell/shell.tsx'
import classes from './reference-frame.module.css'

/** The panel's shell for a signed-in user; otherwise a header with a link to the sign-in page. */
export function ReferenceFrame() {
  const isSignedIn = useQueryClient().getQueryData(meQuery.queryKey) !== undefined
  return isSignedIn ? <Shell /> : <PublicFrame />
}

function PublicFrame() {
  return (
    <div className={classes['frame']}>
      <header className={classes['header']}>
        <Brand />
        <Link to="/sign-in" className={classes['link']}>
          Sign in
        </Link>
      </header>
      <main id="content" className={classes['content']} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}
