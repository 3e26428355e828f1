/**
 * The messages of the panel's examples. The bundled model answers each of them well: a test sends it all of them, at
 * temperature 0 and with the default settings.
 */
export const samples = {
  newKey: 'What is the capital of France?',
  quickStart: 'Hello! Who are you?',
} as const

export type TypicalUse = Readonly<{
  label: string
  content: string
  /** A JSON schema for the reply, as text. */
  schema?: string
  /** The temperature to set. Default: the service's. */
  temperature?: number
}>

/** One prompt for each typical use of the model. The bundled model answers these well, too. */
export const typicalUses: readonly TypicalUse[] = [
  { label: 'Answer', content: 'What is the capital of Japan?' },
  {
    label: 'Summarise',
    content:
      'Give me a short summary: The bakery on Mill Street will close for two weeks in August. The owner wants to repair the old oven. It opens again on the first of September.',
  },
  {
    label: 'Classify',
    content:
      'Is this review positive or negative? "The room was clean and the staff were kind." Answer with one word.',
  },
  {
    label: 'Extract',
    temperature: 0,
    content: 'Find the name and the day in the message: Maria will visit the clinic on Tuesday.',
    schema: `{
  "type": "object",
  "properties": {
    "name": { "type": "string" },
    "day": { "enum": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"] }
  },
  "required": ["name", "day"],
  "additionalProperties": false
}`,
  },
  { label: 'Write', content: 'Write an invitation to a picnic on Saturday.' },
]
