/** Settings that this machine cannot serve: one sentence for the operator. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}
