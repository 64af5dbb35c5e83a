/** The parts of an answer, each after its label, in the labels' order. */
export function labelled<Part extends string, Answer extends Readonly<Record<Part, unknown>>>(
  labels: Readonly<Record<Part, string>>,
  answer: Answer,
): [label: string, value: Answer[Part]][] {
  return (Object.keys(labels) as Part[]).map((part) => [labels[part], answer[part]])
}
