;; The inner loop of the exact vector scan, and a plain pass over the same bytes to measure it against.
;;
;; A row is `stride` bytes (a multiple of 16), each a component as int8 plus 128, so that 16 bytes read as
;; eight 16-bit lanes give the even components by a mask and the odd ones by a shift: two cheap operations
;; in place of two sign extensions. The query is int16, and in each group of 16 its even components come
;; before its odd ones. `bias` is 128 times the sum of the query, which takes the 128 out again. All sums
;; wrap at 32 bits; the caller scales the query so that the true result fits, so wrapping on the way is harmless.
(module
  (import "arena" "memory" (memory 1 65536))

  ;; score = dot × row scale × query scale, rounded to float32 after each step; adding 0 turns -0 into 0.
  (func $score (param $sums v128) (param $bias i32) (param $rowScale f32) (param $queryScale f32) (result f32)
    (local.set $sums
      (i32x4.add
        (local.get $sums)
        (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $sums) (local.get $sums))))
    (f32.add
      (f32.mul
        (f32.mul
          (f32.convert_i32_s
            (i32.sub
              (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
              (local.get $bias)))
          (local.get $rowScale))
        (local.get $queryScale))
      (f32.const 0)))

  ;; Scores `rows` rows from `row` on; their float32 scales are at `scales`, the float32 scores go to `out`.
  ;; Four rows at a time, so that a piece of the query is loaded once for four; what is left, one at a time.
  (func (export "scan")
    (param $query i32) (param $row i32) (param $stride i32) (param $rows i32) (param $scales i32) (param $out i32)
    (param $bias i32) (param $queryScale f32)
    (local $queryEnd i32) (local $q i32) (local $mask v128) (local $even v128) (local $odd v128) (local $x v128)
    (local $row1 i32) (local $row2 i32) (local $row3 i32)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local.set $mask (v128.const i16x8 255 255 255 255 255 255 255 255))
    (local.set $queryEnd (i32.add (local.get $query) (i32.shl (local.get $stride) (i32.const 1))))
    (block $noFour
      (loop $four
        (br_if $noFour (i32.lt_u (local.get $rows) (i32.const 4)))
        (local.set $row1 (i32.add (local.get $row) (local.get $stride)))
        (local.set $row2 (i32.add (local.get $row1) (local.get $stride)))
        (local.set $row3 (i32.add (local.get $row2) (local.get $stride)))
        (local.set $sum0 (v128.const i32x4 0 0 0 0))
        (local.set $sum1 (v128.const i32x4 0 0 0 0))
        (local.set $sum2 (v128.const i32x4 0 0 0 0))
        (local.set $sum3 (v128.const i32x4 0 0 0 0))
        (local.set $q (local.get $query))
        (loop $components
          (local.set $even (v128.load (local.get $q)))
          (local.set $odd (v128.load offset=16 (local.get $q)))
          (local.set $x (v128.load (local.get $row)))
          (local.set $sum0
            (i32x4.add
              (local.get $sum0)
              (i32x4.add
                (i32x4.dot_i16x8_s (v128.and (local.get $x) (local.get $mask)) (local.get $even))
                (i32x4.dot_i16x8_s (i16x8.shr_u (local.get $x) (i32.const 8)) (local.get $odd)))))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (local.set $x (v128.load (local.get $row1)))
          (local.set $sum1
            (i32x4.add
              (local.get $sum1)
              (i32x4.add
                (i32x4.dot_i16x8_s (v128.and (local.get $x) (local.get $mask)) (local.get $even))
                (i32x4.dot_i16x8_s (i16x8.shr_u (local.get $x) (i32.const 8)) (local.get $odd)))))
          (local.set $row1 (i32.add (local.get $row1) (i32.const 16)))
          (local.set $x (v128.load (local.get $row2)))
          (local.set $sum2
            (i32x4.add
              (local.get $sum2)
              (i32x4.add
                (i32x4.dot_i16x8_s (v128.and (local.get $x) (local.get $mask)) (local.get $even))
                (i32x4.dot_i16x8_s (i16x8.shr_u (local.get $x) (i32.const 8)) (local.get $odd)))))
          (local.set $row2 (i32.add (local.get $row2) (i32.const 16)))
          (local.set $x (v128.load (local.get $row3)))
          (local.set $sum3
            (i32x4.add
              (local.get $sum3)
              (i32x4.add
                (i32x4.dot_i16x8_s (v128.and (local.get $x) (local.get $mask)) (local.get $even))
                (i32x4.dot_i16x8_s (i16x8.shr_u (local.get $x) (i32.const 8)) (local.get $odd)))))
          (local.set $row3 (i32.add (local.get $row3) (i32.const 16)))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (br_if $components (i32.lt_u (local.get $q) (local.get $queryEnd))))
        (f32.store (local.get $out)
          (call $score (local.get $sum0) (local.get $bias) (f32.load (local.get $scales)) (local.get $queryScale)))
        (f32.store offset=4 (local.get $out)
          (call $score (local.get $sum1) (local.get $bias) (f32.load offset=4 (local.get $scales)) (local.get $queryScale)))
        (f32.store offset=8 (local.get $out)
          (call $score (local.get $sum2) (local.get $bias) (f32.load offset=8 (local.get $scales)) (local.get $queryScale)))
        (f32.store offset=12 (local.get $out)
          (call $score (local.get $sum3) (local.get $bias) (f32.load offset=12 (local.get $scales)) (local.get $queryScale)))
        (local.set $row (local.get $row3))
        (local.set $scales (i32.add (local.get $scales) (i32.const 16)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 4)))
        (br $four)))
    (block $noOne
      (loop $one
        (br_if $noOne (i32.eqz (local.get $rows)))
        (local.set $sum0 (v128.const i32x4 0 0 0 0))
        (local.set $q (local.get $query))
        (loop $components
          (local.set $even (v128.load (local.get $q)))
          (local.set $odd (v128.load offset=16 (local.get $q)))
          (local.set $x (v128.load (local.get $row)))
          (local.set $sum0
            (i32x4.add
              (local.get $sum0)
              (i32x4.add
                (i32x4.dot_i16x8_s (v128.and (local.get $x) (local.get $mask)) (local.get $even))
                (i32x4.dot_i16x8_s (i16x8.shr_u (local.get $x) (i32.const 8)) (local.get $odd)))))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (br_if $components (i32.lt_u (local.get $q) (local.get $queryEnd))))
        (f32.store (local.get $out)
          (call $score (local.get $sum0) (local.get $bias) (f32.load (local.get $scales)) (local.get $queryScale)))
        (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br $one))))

  ;; The least a pass over memory can do: `bytes` bytes (a multiple of 64) read once and added up, as 32-bit words.
  (func (export "sumWords") (param $at i32) (param $bytes i32) (result i32)
    (local $end i32) (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local.set $end (i32.add (local.get $at) (local.get $bytes)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $sum0 (i32x4.add (local.get $sum0) (v128.load (local.get $at))))
        (local.set $sum1 (i32x4.add (local.get $sum1) (v128.load offset=16 (local.get $at))))
        (local.set $sum2 (i32x4.add (local.get $sum2) (v128.load offset=32 (local.get $at))))
        (local.set $sum3 (i32x4.add (local.get $sum3) (v128.load offset=48 (local.get $at))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $next)))
    (local.set $sum0
      (i32x4.add
        (i32x4.add (local.get $sum0) (local.get $sum1))
        (i32x4.add (local.get $sum2) (local.get $sum3))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum0)) (i32x4.extract_lane 1 (local.get $sum0)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum0)) (i32x4.extract_lane 3 (local.get $sum0)))))

  ;; The same with each byte added up by itself.
  (func (export "sumBytes") (param $at i32) (param $bytes i32) (result i32)
    (local $end i32) (local $sum0 v128) (local $sum1 v128)
    (local.set $end (i32.add (local.get $at) (local.get $bytes)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $sum0
          (i32x4.add
            (local.get $sum0)
            (i32x4.extadd_pairwise_i16x8_u
              (i16x8.extadd_pairwise_i8x16_u (v128.load (local.get $at))))))
        (local.set $sum1
          (i32x4.add
            (local.get $sum1)
            (i32x4.extadd_pairwise_i16x8_u
              (i16x8.extadd_pairwise_i8x16_u (v128.load offset=16 (local.get $at))))))
        (local.set $sum0
          (i32x4.add
            (local.get $sum0)
            (i32x4.extadd_pairwise_i16x8_u
              (i16x8.extadd_pairwise_i8x16_u (v128.load offset=32 (local.get $at))))))
        (local.set $sum1
          (i32x4.add
            (local.get $sum1)
            (i32x4.extadd_pairwise_i16x8_u
              (i16x8.extadd_pairwise_i8x16_u (v128.load offset=48 (local.get $at))))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $next)))
    (local.set $sum0 (i32x4.add (local.get $sum0) (local.get $sum1)))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum0)) (i32x4.extract_lane 1 (local.get $sum0)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum0)) (i32x4.extract_lane 3 (local.get $sum0))))))
