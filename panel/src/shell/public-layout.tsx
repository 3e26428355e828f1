import { Outlet } from '@tanstack/react-router'
import { Brand } from './brand.tsx'
import classes from './public-layout.module.css'

export function PublicLayout() {
  return (
    <div className={classes['page']}>
      <header>
        <Brand />
      </header>
      <main className={classes['card']}>
        <Outlet />
      </main>
    </div>
  )
}
