import '@mantine/core/styles.css'
import './styles.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { focusHeadingOnNavigation } from './routing/focus-heading.ts'
import { keepFocus } from './routing/keep-focus.ts'
import { createQueryClient } from './query-client.ts'
import { createPanelRouter } from './pages/router.ts'
import { theme } from './theme.ts'

const queryClient = createQueryClient()
const router = createPanelRouter(queryClient)
focusHeadingOnNavigation(router)
keepFocus()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    {/* The content security policy blocks Mantine's <style> elements, so styles.css holds those rules. */}
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
