import { DatePicker, parseDate } from '@ark-ui/react/date-picker'
import { Portal } from '@ark-ui/react/portal'
import { useEffect, useState } from 'react'
import { Button } from './button'
import styles from './date-calendar.module.css'
import { Icon } from './icon'

export interface CalendarLabels {
  /** The name of the button and of the calendar. */
  open: string
  previousMonth: string
  nextMonth: string
  clear: string
}

export interface DateCalendarProps {
  open: boolean
  /** Ids of the anchor and of the button. */
  control: string
  trigger: string
  /** ISO days; empty or undefined for none. */
  value: string
  min?: string | undefined
  max?: string | undefined
  firstDay: number
  labels: CalendarLabels
  onOpen: (open: boolean) => void
  onChoose: (iso: string) => void
}

const day = (iso: string | undefined) => (iso ? parseDate(iso) : undefined)

export function DateCalendar(props: DateCalendarProps) {
  const { open, control, trigger, value, min, max, firstDay, labels, onOpen, onChoose } = props
  // Opens after mounting, so that the first opening moves the focus as well.
  const [mounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  const clear = () => {
    onOpen(false)
    document.getElementById(trigger)?.focus()
    onChoose('')
  }
  return (
    <DatePicker.Root
      open={open && mounted}
      onOpenChange={(details) => onOpen(details.open)}
      value={value ? [parseDate(value)] : []}
      onValueChange={(details) => details.value[0] && onChoose(details.value[0].toString())}
      min={day(min)}
      max={day(max)}
      startOfWeek={firstDay}
      fixedWeeks
      timeZone={Intl.DateTimeFormat().resolvedOptions().timeZone}
      ids={{ control, trigger }}
      positioning={{ placement: 'bottom-end', gutter: 6 }}
      translations={{
        content: labels.open,
        prevTrigger: () => labels.previousMonth,
        nextTrigger: () => labels.nextMonth,
        dayCell: ({ valueText }) => valueText,
      }}
      lazyMount
      unmountOnExit
    >
      <Portal>
        <DatePicker.Positioner>
          <DatePicker.Content className={styles.content} role="dialog" aria-roledescription={labels.open}>
            <DatePicker.View view="day">
              <DatePicker.ViewControl className={styles.head}>
                <DatePicker.PrevTrigger className={styles.turn}>
                  <Icon name="chevron-start" size="s" />
                </DatePicker.PrevTrigger>
                <DatePicker.RangeText className={styles.month} />
                <DatePicker.NextTrigger className={styles.turn}>
                  <Icon name="chevron-end" size="s" />
                </DatePicker.NextTrigger>
              </DatePicker.ViewControl>
              <Month />
            </DatePicker.View>
            {value && (
              <Button variant="ghost" size="s" onClick={clear}>
                {labels.clear}
              </Button>
            )}
          </DatePicker.Content>
        </DatePicker.Positioner>
      </Portal>
    </DatePicker.Root>
  )
}

const Month = () => (
  <DatePicker.Context>
    {({ weekDays, weeks, visibleRangeText }) => (
      <DatePicker.Table aria-label={visibleRangeText.start} aria-roledescription={visibleRangeText.start}>
        <DatePicker.TableHead>
          <DatePicker.TableRow>
            {weekDays.map((weekDay) => (
              <DatePicker.TableHeader key={weekDay.long} aria-label={weekDay.long} className={styles.weekDay}>
                {weekDay.narrow}
              </DatePicker.TableHeader>
            ))}
          </DatePicker.TableRow>
        </DatePicker.TableHead>
        <DatePicker.TableBody>
          {weeks.map((week) => (
            <DatePicker.TableRow key={String(week[0])}>
              {week.map((date) => (
                <DatePicker.TableCell key={String(date)} value={date}>
                  <DatePicker.TableCellTrigger className={styles.day}>{date.day}</DatePicker.TableCellTrigger>
                </DatePicker.TableCell>
              ))}
            </DatePicker.TableRow>
          ))}
        </DatePicker.TableBody>
      </DatePicker.Table>
    )}
  </DatePicker.Context>
)
