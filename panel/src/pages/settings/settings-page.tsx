import { Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Page } from '../../components/page/page.tsx'
import { Section } from '../../components/page/section.tsx'
import { meQuery } from '../../session.ts'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { ThemeSection } from './theme-section.tsx'
import { TwoFactorSection } from './two-factor/two-factor-section.tsx'

/** The user's profile, sign-in methods, sessions and theme. */
export function SettingsPage() {
  const { data: me } = useSuspenseQuery(meQuery)
  return (
    <Page title="Settings">
      <div>
        <ProfileSection />
        <ThemeSection />
        {me.user.has_password ? (
          <>
            <PasswordSection />
            <TwoFactorSection />
          </>
        ) : (
          <NoPassword />
        )}
        <PasskeysSection />
        <SessionsSection />
      </div>
    </Page>
  )
}

function NoPassword() {
  return (
    <Section title="Password">
      <Text size="sm">
        You have no password, and so no two-factor authentication here. Ask an admin for a password
        reset link to set one.
      </Text>
    </Section>
  )
}
