import type { Database } from '../storage/database.ts'
import type { Logger } from '../telemetry/logger.ts'
import { AlertSender } from './alerts/alert-sender.ts'
import { AlertSettings } from './alerts/alert-settings.ts'
import { BudgetWatch } from './budgets/budget-watch.ts'
import { Budgets } from './budgets/budgets.ts'
import { Prices } from './prices/prices.ts'

type SpendingOptions = { logger: Logger; now?: () => number }

/** Creates the services of prices, budgets and alerts. Call `start` on `alertSender` and `budgetWatch` next. */
export function openSpending(database: Database, options: SpendingOptions) {
  const prices = new Prices(database)
  const budgets = new Budgets(database, prices)
  const alertSettings = new AlertSettings(database)
  const alertSender = new AlertSender(database, { ...options, settings: alertSettings })
  const watched = { budgets, prices, settings: alertSettings, sender: alertSender }
  const budgetWatch = new BudgetWatch(database, { ...options, ...watched })
  return { prices, budgets, alertSettings, alertSender, budgetWatch }
}
