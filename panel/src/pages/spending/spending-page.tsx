import { Page } from '../../components/page/page.tsx'
import { AlertsSections } from './alerts/alerts-section.tsx'
import { BudgetsSection } from './budgets/budgets-section.tsx'
import { PricesSection } from './prices/prices-section.tsx'

/** Token prices, budgets and alerts. For admins. */
export function SpendingPage() {
  return (
    <Page
      title="Spending"
      description="Prices, budgets and alerts for your own accounting. They never block requests."
    >
      <div>
        <PricesSection />
        <BudgetsSection />
        <AlertsSections />
      </div>
    </Page>
  )
}
