import { Page } from '../../components/page/page.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { ThemeSection } from './theme-section.tsx'
import { TwoFactorSection } from './two-factor/two-factor-section.tsx'

/** The user's profile, sign-in methods, sessions and theme. */
export function SettingsPage() {
  return (
    <Page title="Settings">
      <div>
        <ProfileSection />
        <ThemeSection />
        <PasswordSection />
        <TwoFactorSection />
        <PasskeysSection />
        <SessionsSection />
      </div>
    </Page>
  )
}
