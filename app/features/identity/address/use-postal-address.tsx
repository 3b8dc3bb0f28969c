import { useLingui } from '@lingui/react/macro'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId } from 'react'
import * as z from 'zod/mini'
import { type AddressMatch, addressMatch } from '#contract/identity.ts'
import { closeModal, type ModalDetail, modalEvents, openModal } from '~/platform/modals/modal-events'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Button } from '~/ui/button'
import { TextField } from '~/ui/text-field'
import { useHydrated } from '~/ui/visibility'
import type { AddressField } from './address.functions'
import styles from './address-fields.module.css'

/** The data that the modal is opened with. `fieldsId`: a page may have more than one address. */
export const addressSearchRequest = z.object({ fieldsId: z.string(), text: z.string() })
const addressChoice = z.object({ fieldsId: z.string(), match: addressMatch })

/** Closes the modal and passes the chosen address to the form that opened it. */
export const closeWithAddress = (choice: z.output<typeof addressChoice>) => closeModal('searchAddress', choice)

/** Returns the function that opens the modal with a search text. */
function useAddressSearch(onChoose: (match: AddressMatch) => void): (text: string) => void {
  const fieldsId = useId()
  const onClose = useEffectEvent(({ detail: { name, data } }: CustomEvent<ModalDetail>) => {
    const choice = name === 'searchAddress' ? addressChoice.safeParse(data).data : undefined
    if (choice?.fieldsId === fieldsId) onChoose(choice.match)
  })
  useEffect(() => {
    window.addEventListener(modalEvents.close, onClose)
    return () => window.removeEventListener(modalEvents.close, onClose)
  }, [])
  return (text) => openModal('searchAddress', { fieldsId, text })
}

/** The labels and the requirements of the address fields. */
function useAddressLabels(searchable: boolean) {
  const { t } = useLingui()
  return {
    labels: { postcode: t`Postal code`, road: t`Street address`, detail: t`Apartment, floor, unit` },
    messages: {
      'address.postcode': searchable
        ? t`Enter your postal code, or search for your address.`
        : t`Enter your postal code.`,
      'address.road': searchable ? t`Enter your street address, or search for it.` : t`Enter your street address.`,
      'address.detail': t`Use 200 characters or fewer.`,
    } satisfies Record<AddressField, string>,
    search: t`Find address`,
  }
}

type Part = 'postcode' | 'road' | 'detail'

interface AddressFieldsProps {
  legend: ReactNode
  /** The `name` of each control. */
  names: Record<Part, string>
  labels: Record<Part, ReactNode>
  values: Record<Part, string>
  errors: Partial<Record<Part, ReactNode>>
  onChange: (part: Part, value: string) => void
  /** The address search button; absent if it cannot work. */
  search: { label: ReactNode; onSearch: () => void } | undefined
}

/** The fields of a postal address. A search may fill in postcode and road. */
function AddressFields({ legend, names, labels, values, errors, onChange, search }: AddressFieldsProps) {
  const field = (part: Part) => ({
    name: names[part],
    label: labels[part],
    value: values[part],
    error: errors[part],
    onChange: (event: { target: { value: string } }) => onChange(part, event.target.value),
  })
  return (
    <fieldset className={styles.address}>
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.code}>
        <TextField {...field('postcode')} autoComplete="postal-code" dir="ltr" />
        {search && (
          <Button icon="search" className={styles.search} onClick={search.onSearch}>
            {search.label}
          </Button>
        )}
      </div>
      <TextField {...field('road')} autoComplete="address-line1" dir="auto" />
      <TextField {...field('detail')} autoComplete="address-line2" dir="auto" />
    </fieldset>
  )
}

/** The part of a form library's field that the address uses. */
interface FormField {
  state: { value: string; meta: { errors: readonly unknown[] } }
  handleChange: (value: string) => void
}

interface AddressProps {
  legend: ReactNode
  /** Renders one field of the address in the form. */
  field: (name: AddressField, draw: (field: FormField) => ReactNode) => ReactNode
  errorOf: (name: AddressField, faulty: boolean) => string | undefined
}

/**
 * The postal address of a form. `draw` renders its fields, `messages` are their requirements, and
 * `set` fills in the found address.
 */
export function usePostalAddress(
  form: RefObject<HTMLFormElement | null>,
  set: (name: AddressField, value: string) => void,
) {
  const hydrated = useHydrated()
  // The search has Korean addresses only.
  const { locale, currency } = useSiteSettings().base
  const searchable = hydrated && (locale === 'ko' || currency === 'KRW')
  const labels = useAddressLabels(searchable)
  const entered = (name: AddressField) => form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)
  const search = useAddressSearch(({ postcode, road }) => {
    // The detail belongs to the street before.
    if (![undefined, '', road].includes(entered('address.road')?.value)) set('address.detail', '')
    set('address.postcode', postcode)
    set('address.road', road)
    requestAnimationFrame(() => entered('address.detail')?.focus())
  })

  const draw = ({ legend, field, errorOf }: AddressProps) =>
    field('address.postcode', (postcode) =>
      field('address.road', (road) =>
        field('address.detail', (detail) => {
          const fault = (name: AddressField, { state }: FormField) => errorOf(name, state.meta.errors.length > 0)
          return (
            <AddressFields
              legend={legend}
              names={{ postcode: 'address.postcode', road: 'address.road', detail: 'address.detail' }}
              labels={labels.labels}
              values={{ postcode: postcode.state.value, road: road.state.value, detail: detail.state.value }}
              errors={{
                postcode: fault('address.postcode', postcode),
                road: fault('address.road', road),
                detail: fault('address.detail', detail),
              }}
              onChange={(part, value) => ({ postcode, road, detail })[part].handleChange(value)}
              search={
                searchable
                  ? { label: labels.search, onSearch: () => search(road.state.value || postcode.state.value) }
                  : undefined
              }
            />
          )
        }),
      ),
    )
  return { messages: labels.messages, draw }
}
