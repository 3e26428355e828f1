import type { Field } from '../../../reference/schema-fields.ts'
import classes from './field-list.module.css'
import { Prose } from './prose.tsx'
import { TypeText } from './type-text.tsx'

const shownMax = 9

/** The fields of an object, each collapsed to one line. */
export function FieldList({
  fields,
  hasIds = false,
}: {
  fields: readonly Field[]
  hasIds?: boolean
}) {
  const rest = fields.slice(shownMax)
  return (
    <>
      <Fields fields={fields.slice(0, shownMax)} hasIds={hasIds} />
      {rest.length > 0 && (
        <details className={classes['rest']}>
          <summary>{rest.length} more fields</summary>
          <Fields fields={rest} hasIds={hasIds} />
        </details>
      )}
    </>
  )
}

function Fields({ fields, hasIds }: { fields: readonly Field[]; hasIds: boolean }) {
  return (
    <ul className={classes['fields']}>
      {fields.map((field) => (
        <li key={field.path} {...(hasIds && { id: field.path })} className={classes['field']}>
          <OneField field={field} hasIds={hasIds} />
        </li>
      ))}
    </ul>
  )
}

function OneField({ field, hasIds }: { field: Field; hasIds: boolean }) {
  const { name, type, isRequired, description, bounds, fields } = field
  const text = [...bounds, description].filter((part) => part !== '').join(' ')
  const head = (
    <>
      <code className={classes['name']}>{name}</code>{' '}
      <span className={classes['type']}>
        <TypeText words={type} hasLinks={false} />
      </span>
      {isRequired && <span className={classes['required']}> required</span>}
    </>
  )
  const namesObject = type.some(({ kind }) => kind === 'object')
  if (text === '' && fields.length === 0 && !namesObject)
    return <div className={classes['plain']}>{head}</div>
  return (
    <details>
      <summary className={classes['summary']}>{head}</summary>
      <div className={classes['detail']}>
        {text !== '' && (
          <p>
            <Prose text={text} />
          </p>
        )}
        {namesObject && (
          <p>
            Type: <TypeText words={type} />
          </p>
        )}
        {fields.length > 0 && <Fields fields={fields} hasIds={hasIds} />}
      </div>
    </details>
  )
}
