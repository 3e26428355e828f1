import { Burger, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Brand } from './brand.tsx'
import { Navigation } from './navigation.tsx'
import classes from './shell.module.css'

/** Around every page of somebody who is signed in: the navigation, and where the page goes. */
export function Shell() {
  const [menuOpened, menu] = useDisclosure(false)
  const path = useLocation({ select: ({ pathname }) => pathname })
  useEffect(() => menu.close(), [path, menu])
  return (
    <div className={classes['shell']}>
      <a className={classes['skip']} href="#content">
        Skip to the content
      </a>
      <header className={classes['header']}>
        <Burger opened={menuOpened} onClick={menu.toggle} size="sm" aria-label="Menu" />
        <Brand />
      </header>
      <aside className={classes['sidebar']} aria-label="Sidebar">
        <div className={classes['brand']}>
          <Brand />
        </div>
        <Navigation />
      </aside>
      <Drawer opened={menuOpened} onClose={menu.close} size="16rem" title="Menu">
        <Navigation />
      </Drawer>
      <main id="content" className={classes['content']} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}
