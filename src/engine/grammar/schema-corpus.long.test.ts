import { expect, test } from 'vitest'
import { checkCorpus, reportOf } from '../../../test/support/schemas/corpus.ts'

/** A folder with a schema in each JSON file, for example `data` of guidance-ai/jsonschemabench. */
const folder = process.env['SCHEMA_CORPUS']
const textsOfEach = 3

test(
  'schemas of other people: their share, and every text is valid',
  { timeout: 1_800_000 },
  ({ skip }) => {
    if (folder === undefined) return skip('SCHEMA_CORPUS does not name a folder of schemas')
    const counts = checkCorpus(folder, textsOfEach)
    console.log(reportOf(counts))
    expect(counts.wrong).toEqual([])
    expect(counts.compiled / counts.schemas).toBeGreaterThan(0.84)
  },
)
