/** Turns a title into the last part of its address: "Hello, World!" becomes "hello-world". */
export function slug(title) {
  return title.toLowerCase().replace(" ", "-");
}
