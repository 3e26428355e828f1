import { Command } from 'commander'
import type { Price } from '../../spending/prices/price-list.ts'
import { dayText, Prices, priceTexts } from '../../spending/prices/prices.ts'
import { commandLineActor } from '../../storage/audit/audit-log.ts'
import { examples } from '../examples.ts'
import { alignColumns } from '../table.ts'
import { withDatabase } from '../with-database.ts'

type PriceOptions = {
  prompt: string
  cached?: string
  completion: string
  currency: string
  from?: string
}

/** The `prices` commands. A running service uses changed prices at once. */
export function pricesCommand(): Command {
  const prices = new Command('prices')
    .description('set prices per million tokens, so that usage shows its cost')
    .summary('set, list and remove prices per million tokens')
    .addHelpText('after', examples('prices set --currency EUR --prompt 0.15 --completion 0.60'))

  prices
    .command('set')
    .description('set the prices from a UTC day on, until the next day that has prices')
    .requiredOption('--currency <code>', 'currency code such as EUR; the same for all prices')
    .requiredOption('--prompt <amount>', 'price of a million prompt tokens, such as 0.15')
    .option('--cached <amount>', 'price of a million cached prompt tokens (default: as --prompt)')
    .requiredOption('--completion <amount>', 'price of a million completion tokens')
    .option(
      '--from <day>',
      'first UTC day, such as 2026-11-23; may be in the past (default: today)',
    )
    .action((options: PriceOptions) =>
      withDatabase(async (database) => {
        const { from = dayText(Date.now()), ...price } = options
        await new Prices(database).set({ ...price, from }, commandLineActor, Date.now())
        console.log(`Set the prices from ${from} (UTC).`)
      }),
    )

  prices
    .command('list')
    .description('list all prices, the latest first')
    .option('--json', 'print a JSON array')
    .action((options: { json?: true }) =>
      withDatabase(async (database) => {
        const found = (await new Prices(database).list()).toReversed()
        console.log(options.json ? JSON.stringify(found.map(priceTexts)) : priceTable(found))
      }),
    )

  prices
    .command('remove')
    .description('remove the prices of a day; then the prices before them apply')
    .argument('<day>', 'first day of the prices, such as 2026-11-23')
    .action((day: string) =>
      withDatabase(async (database) => {
        await new Prices(database).remove(day, commandLineActor, Date.now())
        console.log(`Removed the prices from ${day}.`)
      }),
    )

  return prices
}

function priceTable(prices: readonly Price[]): string {
  if (prices.length === 0) return 'No prices yet.'
  return alignColumns([
    ['FROM (UTC)', 'CURRENCY', 'PROMPT', 'CACHED', 'COMPLETION'],
    ...prices
      .map(priceTexts)
      .map((one) => [one.from, one.currency, one.prompt, one.cached, one.completion]),
  ])
}
