const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const date =
  '(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))' +
  `|${leapYear}-02-29)`
const hours = '(?:[01][0-9]|2[0-3])'
const time = `${hours}:[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,6})?(?:Z|[+-]${hours}:[0-5][0-9])`
const label = '[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?'

/**
 * Patterns of the supported formats. Each accepts a part of its standard: no leap seconds, and e-mail
 * addresses of the usual characters and lengths only.
 */
export const formats: ReadonlyMap<string, string> = new Map([
  ['date', `^${date}$`],
  ['time', `^${time}$`],
  ['date-time', `^${date}T${time}$`],
  ['uuid', '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'],
  [
    'email',
    `^[A-Za-z0-9_+-]{1,32}(?:\\.[A-Za-z0-9_+-]{1,32}){0,2}@(?:${label}\\.){1,3}[a-z]{2,20}$`,
  ],
])
