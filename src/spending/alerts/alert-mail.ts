/** Returns the e-mail for an alert, made from the body of its webhook. */
export function alertMail(body: string): { subject: string; text: string } {
  // Bodies come only from `bodyOf` in budget-watch.ts and from the test alert.
  const { type, data } = JSON.parse(body) as { type: string; data: Record<string, string | number> }
  if (type === 'alert.test')
    return {
      subject: 'Pipit: test alert',
      text: 'This is a test alert of Pipit. Alerts by e-mail work.\n',
    }
  const name = data['account_name']
  return {
    subject: `Pipit: ${name} has used ${data['threshold_percent']}% of its budget`,
    text: [
      `Account: ${name} (${data['account_id']})`,
      `Month: ${data['month']} (UTC)`,
      `Budget: ${data['budget']} ${data['unit']}`,
      `Used: ${data['used']} ${data['unit']}`,
      '',
      'A budget only raises alerts: requests are still served. To refuse them, set limits for the account or its keys.',
      '',
    ].join('\n'),
  }
}
