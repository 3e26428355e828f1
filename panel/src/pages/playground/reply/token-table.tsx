import { Table } from '@mantine/core'
import type { Logprobs } from '../../../../../src/protocol/chat/logprobs.ts'
import classes from '../playground.module.css'
import { TokenColours } from './token-colours.tsx'
import { showProbability } from './token-probability.ts'

const rowsMax = 300

/** Each token's probability, as a colour and in a table that also has the most likely tokens at its position. */
export function TokenProbabilities({ tokens }: { tokens: Logprobs['content'] }) {
  return (
    <>
      <TokenColours tokens={tokens} />
      <TokenTable tokens={tokens} />
    </>
  )
}

function TokenTable({ tokens }: { tokens: Logprobs['content'] }) {
  return (
    <details>
      <summary>Token probabilities</summary>
      <div className={classes['tokens']} role="region" aria-label="Tokens" tabIndex={0}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Token</Table.Th>
              <Table.Th>Probability</Table.Th>
              <Table.Th>Most likely</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tokens.slice(0, rowsMax).map(({ token, logprob, top_logprobs: others }, index) => (
              <Table.Tr key={index}>
                <Table.Td>
                  <code>{quote(token)}</code>
                </Table.Td>
                <Table.Td>{showProbability(logprob)}</Table.Td>
                <Table.Td>
                  {others
                    .map((other) => `${quote(other.token)} ${showProbability(other.logprob)}`)
                    .join(' · ')}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {tokens.length > rowsMax && (
        <p>
          Showing the first {rowsMax} of {tokens.length} tokens.
        </p>
      )}
    </details>
  )
}

/** Quotes a token, so that spaces and line breaks are visible. */
function quote(token: string): string {
  return JSON.stringify(token)
}
