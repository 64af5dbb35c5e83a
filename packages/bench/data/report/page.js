(() => {
  const form = document.querySelector('form.search')
  if (!form) return
  form.hidden = false
  const field = form.querySelector('input')
  const output = form.querySelector('output')
  const answers = [...document.querySelectorAll('details.answer')].map((element) => ({
    element,
    text: element.textContent.toLowerCase(),
  }))
  const narrow = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    let shown = 0
    for (const { element, text } of answers) {
      const fits = words.every((word) => text.includes(word))
      element.hidden = !fits
      if (fits) shown += 1
    }
    output.textContent = words.length === 0 ? '' : shown + ' of ' + answers.length
  }
  form.addEventListener('submit', (event) => event.preventDefault())
  field.addEventListener('input', narrow)
  narrow()
})()
