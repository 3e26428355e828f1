import { Page } from '../../components/page/page.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { ThemeSection } from './theme-section.tsx'
import { TwoStepSection } from './two-step/two-step-section.tsx'

/** Who one is here, how one signs in, and how the panel looks. */
export function SettingsPage() {
  return (
    <Page title="Settings">
      <div>
        <ProfileSection />
        <ThemeSection />
        <PasswordSection />
        <TwoStepSection />
        <PasskeysSection />
        <SessionsSection />
      </div>
    </Page>
  )
}
