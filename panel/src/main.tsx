import '@mantine/core/styles.css'
import './styles.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { focusHeadingOnNavigation } from './routing/focus-heading.ts'
import { createQueryClient } from './query-client.ts'
import { createPanelRouter } from './routing/router.ts'
import { theme } from './theme.ts'

const queryClient = createQueryClient()
const router = createPanelRouter(queryClient)
focusHeadingOnNavigation(router)

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    {/* Mantine's own <style> elements are refused by the content security policy: styles.css has what they would say. */}
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
