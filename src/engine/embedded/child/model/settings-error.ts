/**
 * Thrown for settings that this machine cannot serve; the message is one sentence for the operator.
 */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}
